-- The rights of the roles that the API and the worker may connect as. Each migration applies this
-- file in one transaction, in a database of an earlier version also before its new functions. The
-- roles belong to the whole server and cannot log in until an administrator gives them a password
-- (docs/operating.md). Without them, the owner of the tables serves as both.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['vendor_gateway_api', 'vendor_gateway_worker'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception
        -- A migrating role may lack createrole, and another database may migrate at the same time.
        when insufficient_privilege or duplicate_object or unique_violation then null;
      end;
    end if;
    continue when not exists (select from pg_roles where rolname = role_name);

    execute format('grant usage on schema %I to %I', current_schema(), role_name);
    execute format(
      'revoke all on all tables in schema %I from %I', current_schema(), role_name
    );
    execute format(
      'grant select, insert, update on all tables in schema %I to %I', current_schema(), role_name
    );
    -- What is applied is the migration's record.
    execute format('revoke all on schema_migrations, schema_functions from %I', role_name);
    execute format('revoke insert, update on installation from %I', role_name);
    -- Records of what happened: neither process changes or deletes their rows.
    execute format(
      'revoke update on audit_log, notes, offer_approvals, offer_status_changes, '
      'return_status_changes from %I', role_name
    );
  end loop;

  -- It runs with the owner's rights. The database of an earlier version may lack it yet.
  if to_regproc('reset_sandbox') is not null then
    revoke execute on function reset_sandbox from public;
  end if;
  if exists (select from pg_roles where rolname = 'vendor_gateway_api') then
    if to_regproc('reset_sandbox') is not null then
      grant execute on function reset_sandbox to vendor_gateway_api;
    end if;
    grant delete on
      credentials, credential_revocations, token_calls, operator_sessions, page_snapshots, outbox,
      waiting_offers, delivery_queue
    to vendor_gateway_api;
    revoke all on outbox_set_aside from vendor_gateway_api;
    grant insert on outbox_set_aside to vendor_gateway_api;
    -- The doctor names the messages set aside, without their payloads, and reads sequences.
    grant select (id, kind, subject_id) on outbox_set_aside to vendor_gateway_api;
    execute format(
      'grant select on all sequences in schema %I to vendor_gateway_api', current_schema()
    );
    -- Who may do what is set by an insert only: neither a role nor a capability ever changes.
    revoke update on operators, credentials from vendor_gateway_api;
    grant update (
      secret_sha256, is_active, token_generation, is_managed, language, time_zone, keys
    ) on operators to vendor_gateway_api;
    grant update (is_active) on credentials to vendor_gateway_api;
    -- A return's number is in the event that the API emits before it inserts the return.
    grant usage on return_requests_number_seq to vendor_gateway_api;
  end if;

  if exists (select from pg_roles where rolname = 'vendor_gateway_worker') then
    grant delete on
      outbox, webhook_subscriptions, webhook_events, webhook_deliveries, webhook_attempts,
      webhook_delivery_batches, attempt_counts, delivery_counts, offer_counts, list_counts,
      audit_counts, activity_counts, page_snapshots, past_changes, idempotency_keys, bulk_jobs, bulk_job_items,
      bulk_job_results, review_jobs, review_job_items, review_job_results, waiting_offers,
      delivery_queue
    to vendor_gateway_worker;
    grant select on sequence outbox_id_seq to vendor_gateway_worker;
    revoke insert on notes from vendor_gateway_worker;
    -- The worker deletes old keys, and reads no response.
    revoke select, insert, update on idempotency_keys from vendor_gateway_worker;
    grant select (id, created_at) on idempotency_keys to vendor_gateway_worker;
    -- The worker checks no log-in. It reads operators by name, and whether one may still decide.
    revoke all on credentials, credential_revocations, token_calls, operators, operator_sessions
      from vendor_gateway_worker;
    grant select (id, operator_id, is_active) on operators to vendor_gateway_worker;
    -- A batch of a job reads whether the credential that started it is active.
    grant select (id, is_active) on credentials to vendor_gateway_worker;
  end if;
end $$;
