-- The relay claims messages in the order of their ids, by a partial index of each priority. Plans
-- from statistics of an empty outbox chose this index instead, and sorted all that waited.
drop index outbox_due;
