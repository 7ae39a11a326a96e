-- Messages to workflows, written in the transaction of the change that they report. The relay
-- starts or signals the workflow, and deletes the row once Temporal has the message.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch', 'returnInspection'
  )),
  subject_id uuid not null,
  -- Ids, state names and times only. domain/messages.ts has the kinds and their payloads.
  payload jsonb not null,
  attempts integer not null default 0,
  -- The relay takes a few low-priority messages a second, so that thousands of them delay no
  -- others.
  is_low_priority boolean not null default false,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index outbox_due on outbox (is_low_priority, due_at, id);
create index outbox_normal_priority on outbox (id) where not is_low_priority;
create index outbox_low_priority on outbox (id) where is_low_priority;

-- Messages that the relay cannot read, kept for an operator: docs/operating.md.
create table outbox_set_aside (
  id bigint primary key,
  kind text not null,
  subject_id uuid not null,
  payload jsonb not null,
  is_low_priority boolean not null,
  created_at timestamptz not null,
  set_aside_at timestamptz not null default now(),
  reason text not null
);
