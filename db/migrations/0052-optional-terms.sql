-- The words of a waiting offer have its brand and barcode too, and no row is written with terms. A
-- later version drops the column.
alter table waiting_offers alter column terms drop not null;
