-- What an operator has chosen for the console (D165); null: nothing yet.
alter table operators
  add column language text check (language in ('en', 'ar')),
  add column time_zone text,
  add column keys boolean not null default true;
