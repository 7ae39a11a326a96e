-- Operators also search the variants that are switched off.
create index concurrently variants_inactive_by_words on variants using gin (words)
  where not is_active;
create index concurrently variants_inactive_by_barcode on variants (lpad(barcode, 14, '0'))
  where not is_active;
-- Checksum of its first text: 7bff8e2d31696c46999886cbda28ed0682ba021ade735c71779ee92087fbce6d
