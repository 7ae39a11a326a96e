-- activity_counts also has the offers that operators return to review.
alter table activity_counts drop constraint activity_counts_kind_check;
alter table activity_counts add constraint activity_counts_kind_check check (kind in (
  'attempt.succeeded', 'attempt.failed', 'offer.approve', 'offer.reject', 'offer.returnToReview',
  'offer.applyPrice', 'offer.discardPrice', 'return.requested', 'return.decided', 'offer.waiting'
));
-- Checksum of its first text: 43e309f4c0d515aa77993d4b758940e733db420f30ff113577f641638d7a5a65
