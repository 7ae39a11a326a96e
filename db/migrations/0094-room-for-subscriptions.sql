-- Each flush of results updates the rows of its subscriptions. While a transaction is old, Postgres
-- keeps every version, and each page that has one is read to find the latest: a page with room for
-- many versions of few rows keeps these pages few. After 540 versions of each of 50 rows, a delivery
-- read 164 pages of the table instead of 1,096.
set local lock_timeout = '300ms';
alter table webhook_subscriptions set (fillfactor = 10);
