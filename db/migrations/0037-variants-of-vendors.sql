-- The vendor whose variant it is, for which a sandbox made it from an offer (D175): only this vendor
-- finds it, and a reset deletes it. Null for the catalogue.
alter table variants add column vendor_id uuid references vendors;
