-- The profile that a vendor keeps itself (D55); null until it says one.
alter table vendors add column contact_email text;
