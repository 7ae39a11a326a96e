-- The transaction that writes such a row has inserted or locked the row to which it refers. The lock
-- timeout is as in 0056.
set local lock_timeout = '300ms';
alter table offer_status_changes drop constraint if exists offer_status_changes_offer_id_fkey;
alter table offer_approvals drop constraint if exists offer_approvals_offer_id_fkey;
alter table supply_options drop constraint if exists supply_options_offer_id_fkey;
alter table fulfilment_groups drop constraint if exists fulfilment_groups_order_id_fkey;
alter table order_lines drop constraint if exists order_lines_group_id_fkey;
alter table return_lines drop constraint if exists return_lines_return_id_fkey;
alter table return_status_changes drop constraint if exists return_status_changes_return_id_fkey;
alter table return_evidence drop constraint if exists return_evidence_return_id_fkey;
