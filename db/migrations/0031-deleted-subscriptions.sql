-- Retention finds deleted subscriptions, which are few.
create index webhook_subscriptions_deleted on webhook_subscriptions (deleted_at)
  where deleted_at is not null;
