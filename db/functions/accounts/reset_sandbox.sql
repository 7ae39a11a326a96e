-- Deletes the offers, orders, returns, events and jobs of a sandbox's vendor, with the kept
-- responses that name them, and takes them out of the statistics. In the same transaction, each run
-- that knows one of them gets a message: it reads its row again, finds none and ends. Credentials,
-- subscriptions, the clock, the catalogue and the audit log stay; the variants that a sandbox made
-- for the vendor are deleted, and an advance of the clock ends. The owner's rights are needed,
-- because no process may delete these rows.
create or replace function reset_sandbox(of_vendor uuid) returns void
language plpgsql security definer set search_path from current as $$
declare
  group_ids uuid[];
  order_ids uuid[];
  subject_ids uuid[];
begin
  if exists (select from credentials where environment <> 'Sandbox') then
    raise exception 'only a sandbox can be reset';
  end if;
  -- Waits for the vendor's writers, in the order of their locks: a batch of a job locks the job
  -- first. The last one is for the writers of new rows and of events, which refer to the vendor.
  perform from bulk_jobs where vendor_id = of_vendor and state in ({openJobStates})
  order by id for update;
  perform lock_agreement(of_vendor);
  perform from orders
  where id in (select order_id from fulfilment_groups where vendor_id = of_vendor)
  order by id for update;
  perform from return_requests where vendor_id = of_vendor order by id for update;
  perform from vendors where id = of_vendor for update;

  -- Nothing is left to wait for, so an advance ends where the clock is.
  with ended as (
    update clock_advances set ended_at = clock_timestamp(),
      target = business_now(clock_offset, clock_stands_at)
    from vendors where vendors.id = of_vendor and vendor_id = of_vendor and ended_at is null
    returning vendor_id
  )
  update vendors set clock_stands_at = null,
    clock_offset = greatest(clock_offset, clock_stands_at - business_now(null))
  from ended where vendors.id = ended.vendor_id and clock_stands_at is not null;

  -- Of low priority, because thousands of runs delay the decisions of other vendors.
  perform write_messages('offerReview', array_agg(id),
    array_agg(jsonb_build_object('vendorId', vendor_id)), true)
  from offers where vendor_id = of_vendor and awaiting_since is not null;
  perform write_messages('returnInspection', array_agg(id), array_agg(jsonb_build_object(
    'signal', 'changed', 'vendorId', vendor_id, 'inspectionStartMs', inspection_start_ms,
    'inspectionWindowMs', inspection_window_ms)), true)
  from return_requests
  where vendor_id = of_vendor and status not in ({finalReturnStatuses});
  delete from outbox where kind = 'webhookDelivery'
    and subject_id in (select id from webhook_deliveries where vendor_id = of_vendor);
  perform write_messages('webhookDelivery', array_agg(id), array_agg(jsonb_build_object(
    'signal', 'deactivated', 'vendorId', vendor_id, 'eventType', event_type)), true)
  from webhook_deliveries where vendor_id = of_vendor and state = 'waiting' and attempts > 0;

  subject_ids := array(
    select id from offers where vendor_id = of_vendor
    union all select id from return_requests where vendor_id = of_vendor
  );
  delete from return_evidence where return_id = any(subject_ids);
  delete from return_lines where return_id = any(subject_ids);
  delete from return_status_changes where return_id = any(subject_ids);
  delete from return_requests where vendor_id = of_vendor;

  select array_agg(id), array_agg(distinct order_id) into group_ids, order_ids
  from fulfilment_groups where vendor_id = of_vendor;
  delete from order_lines where group_id = any(group_ids);
  delete from fulfilment_groups where id = any(group_ids);
  -- An order that has groups of other vendors stays.
  delete from orders where id = any(order_ids)
    and not exists (select from fulfilment_groups where order_id = orders.id)
    and not exists (select from return_requests where order_id = orders.id);

  delete from offer_status_changes where offer_id = any(subject_ids);
  delete from offer_approvals where offer_id = any(subject_ids);
  delete from supply_options where vendor_id = of_vendor;
  delete from offers where vendor_id = of_vendor;
  -- After what they are on: the writer of a note holds their row.
  delete from notes where subject_id = any(subject_ids);
  -- A variant that other vendors use since an earlier version stays.
  delete from variants where vendor_id = of_vendor
    and not exists (select from offers where variant_id = variants.id)
    and not exists (select from supply_options where variant_id = variants.id)
    and not exists (select from order_lines where variant_id = variants.id);

  -- Last, because results of other vendors would wait with the results of these rows. A claim drops
  -- a row that is left.
  delete from delivery_queue where ctid = any(array(
    select ctid from delivery_queue where subscription_id in (
      select id from webhook_subscriptions where vendor_id = of_vendor
    ) for update skip locked
  ));
  -- In the order of those that store results.
  perform from webhook_deliveries where vendor_id = of_vendor order by id for update;
  delete from webhook_deliveries where vendor_id = of_vendor;
  delete from webhook_events where vendor_id = of_vendor;
  update event_sequences set expired_through = latest where vendor_id = of_vendor;
  delete from bulk_jobs where vendor_id = of_vendor;

  -- Rows that take all counts back, because a compaction may be replacing the earlier rows.
  insert into activity_counts (vendor_id, kind, hour, waited_step, delta)
  select owner, kind, hour, waited_step, -sum(delta)
  from all_activity() cross join activity_owners(vendor_id) as owner
  where vendor_id = of_vendor group by 1, 2, 3, 4;
  insert into offer_counts (vendor_id, status, is_awaiting, delta)
  select vendor_id, status, is_awaiting, -sum(delta) from offer_counts
  where vendor_id = of_vendor group by 1, 2, 3;
  insert into list_counts
    (list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at, delta)
  select list, vendor_id, status, is_for_supplier, requires_staff_review, span, starts_at,
    -sum(delta)
  from all_list_counts() where vendor_id = of_vendor group by 1, 2, 3, 4, 5, 6, 7;
  delete from past_changes where vendor_id = of_vendor;
  delete from page_snapshots where vendor_id = of_vendor;
  delete from idempotency_keys where vendor_id = of_vendor;
end $$;
