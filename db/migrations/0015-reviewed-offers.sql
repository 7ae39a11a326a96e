-- What a reviewer judged, at each approval of an offer or of a staged price (D135).
create table offer_approvals (
  id bigint generated always as identity primary key,
  offer_id uuid not null references offers,
  reviewer_id uuid not null references operators,
  at timestamptz not null,
  judged jsonb not null
);
create index offer_approvals_of_offer on offer_approvals (offer_id, id);

-- Finds the offers of a barcode, and those of one vendor with the variant or barcode of another.
create index offers_of_barcode on offers ((lpad(barcode, 14, '0')), vendor_id)
  where barcode is not null;
create index offers_of_variant_by_vendor on offers (variant_id, vendor_id)
  where variant_id is not null;
-- Its first column has the same order.
drop index offers_of_variant;
