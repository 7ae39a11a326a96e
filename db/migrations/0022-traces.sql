-- The trace of the request that made the event (W3C Trace Context), for the spans of its deliveries;
-- null without tracing.
alter table webhook_events add column traceparent text;
