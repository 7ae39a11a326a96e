-- The vendors whose clocks a sandbox has advanced: none in Production.
create index concurrently vendors_ahead on vendors (clock_offset) where clock_offset <> '0';
-- Checksum of its first text: 38b4f00991061ab65130168a463eaff5e60381d52eb4f0c26bda204445546308
