-- How far a sandbox has moved a vendor's business clock ahead of real time: whole
-- milliseconds, without days, so that no time zone changes their length. Always 0 in Production.
alter table vendors add column clock_offset interval not null default '0';
