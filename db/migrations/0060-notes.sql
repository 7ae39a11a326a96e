-- Notes of staff on an offer, a return or a vendor (D163). Vendors never see them. A note is never
-- changed; a sandbox vendor's reset deletes those on what it deletes.
create table notes (
  id uuid primary key,
  subject_type text not null check (subject_type in ('offer', 'return', 'vendor')),
  subject_id uuid not null,
  operator_id uuid not null references operators,
  created_at timestamptz not null default now(),
  text text not null
);
create index notes_of_subject on notes (subject_id, created_at desc, id desc);
