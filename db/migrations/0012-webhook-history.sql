-- Deliveries that ended before 0010 get what it added: a migration of its own, which locks their rows and nothing else.
update webhook_deliveries set attempts = latest.attempt_number, dead_lettered_at = latest.dead_lettered_at
from (
  select distinct on (delivery_id) delivery_id, attempt_number, dead_lettered_at
  from webhook_attempts order by delivery_id, attempt_number desc
) as latest
where latest.delivery_id = webhook_deliveries.id and webhook_deliveries.attempts = 0 and state <> 'waiting';
