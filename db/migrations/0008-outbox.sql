-- Messages to workflows, written in the transaction of the change that they report. The relay
-- starts or signals the workflow, and deletes the row once Temporal has the message.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'offerReview', 'webhookDelivery', 'webhookDeliveryBatch', 'agreementSwitch',
    'returnInspection', 'bulkJob', 'reviewJob', 'clockAdvance'
  )),
  subject_id uuid not null,
  -- Ids, state names and times only. domain/messages.ts has the kinds and their payloads.
  payload jsonb not null,
  attempts integer not null default 0,
  -- The relay takes a few low-priority messages a second, so that thousands of them delay no
  -- others.
  is_low_priority boolean not null default false,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Who relays a message: `batches` start the runs of delivery batches, `deliveries` ask for first
  -- attempts, `runs` are for the runs of deliveries, and `commands` for the other workflows. A
  -- relay reads no messages of other lanes.
  lane text not null generated always as (
    case
      when kind = 'webhookDeliveryBatch' then 'batches'
      when kind <> 'webhookDelivery' then 'commands'
      when payload ->> 'signal' in ('start', 'redeliver') then 'deliveries'
      else 'runs'
    end
  ) stored
);
create index outbox_normal_priority_of_lane on outbox (lane, id) where not is_low_priority;
create index outbox_low_priority_of_lane on outbox (lane, id) where is_low_priority;
-- Finds the message of a delivery batch, whose due time is the lease of the relay that makes the
-- batch's attempts.
create index outbox_of_batch on outbox (subject_id) where kind = 'webhookDeliveryBatch';

-- Messages that the relay cannot read, kept for an operator: docs/operating/repairs.md.
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
