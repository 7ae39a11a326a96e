-- The vendors whose clocks a sandbox has advanced: none in Production.
create index vendors_ahead on vendors (clock_offset) where clock_offset <> '0';
