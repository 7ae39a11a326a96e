-- activity_counts also has the offers that operators return to review. The doctor adds those that a
-- process stores after this and before the trigger counts them.
alter table activity_counts drop constraint activity_counts_kind_check;
alter table activity_counts add constraint activity_counts_kind_check check (kind in (
  'attempt.succeeded', 'attempt.failed', 'offer.approve', 'offer.reject', 'offer.returnToReview',
  'offer.applyPrice', 'offer.discardPrice', 'return.requested', 'return.decided', 'offer.waiting'
));
insert into activity_counts (vendor_id, kind, hour, delta)
select owner, action, date_trunc('hour', at, 'UTC'), count(*)
from audit_log join offers on offers.id = subject_id
cross join unnest(array[vendor_id, '00000000-0000-0000-0000-000000000000']) as owner
where action = 'offer.returnToReview'
  and at >= date_trunc('hour', now(), 'UTC') - interval '90 days'
group by 1, 2, 3;
