-- When the next automatic step of a return is due, by its vendor's clock; null without one. It
-- implements `dueStep` of the domain; a test compares the two. Postgres inlines it.
create or replace function return_due_at(request return_requests) returns timestamptz
language sql stable as $$
  select case
    when request.destination <> 'Supplier' then null
    when request.status = 'Received'
      then request.received_at + request.inspection_start_ms * interval '1 millisecond'
    when request.status <> 'UnderInspection' then null
    when request.proposed_outcome is null and request.closing_announced_at is null
      and request.inspection_closing_ms > 0
      and request.inspection_closing_ms < request.inspection_window_ms
      then request.inspection_deadline - request.inspection_closing_ms * interval '1 millisecond'
    when request.proposed_outcome is null or not request.requires_staff_review
      then request.inspection_deadline
  end;
$$;
