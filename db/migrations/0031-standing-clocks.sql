-- The business instant at which a vendor's clock stands while what is due then happens (D175); null
-- while the clock runs, as always in Production.
alter table vendors add column clock_stands_at timestamptz;

-- When the advance began, in real time; and how often one delivery has failed again in it, at most.
alter table clock_advances add column begun_at timestamptz;
alter table clock_advances add column failed_again integer not null default 0;

-- The instant of the vendor's latest event: a later number never has an earlier one.
alter table event_sequences add column latest_at timestamptz;
