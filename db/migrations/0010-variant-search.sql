-- Operators also search the variants that are switched off.
create index variants_inactive_by_words on variants using gin (words) where not is_active;
create index variants_inactive_by_barcode on variants (lpad(barcode, 14, '0')) where not is_active;
