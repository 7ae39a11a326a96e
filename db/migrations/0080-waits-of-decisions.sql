-- How long each decision's offer had waited, for the median and the 90th percentile of the statistics:
-- the step of audit_wait_step(), or -1.
alter table audit_counts add column waited_step smallint not null default -1;
alter table activity_counts add column waited_step smallint not null default -1;
