-- What a reviewer judged, at each approval of an offer or of a staged price (D135).
create table offer_approvals (
  id bigint generated always as identity primary key,
  offer_id uuid not null references offers,
  reviewer_id uuid not null references operators,
  at timestamptz not null,
  judged jsonb not null
);
create index offer_approvals_of_offer on offer_approvals (offer_id, id);
-- Checksum of its first text: e3fbccb4047862070f338b450d26c6ab98ea48d23cfa7d0c277384b17fb7f0eb
