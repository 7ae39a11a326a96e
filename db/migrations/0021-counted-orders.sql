-- list_counts also has the number of orders with a group of a vendor, as the list 'orders' without a
-- status.
alter table list_counts drop constraint list_counts_list_check;
alter table list_counts add constraint list_counts_list_check
  check (list in ('groups', 'returns', 'orders'));
-- Checksum of its first text: 22063e5652197033709f99e8c5b4b0b529293418ebca260abd25f016f545f4f6
