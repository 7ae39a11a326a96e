-- Sessions survive a crash and a switch to a replica, when operators have the most to do. A row
-- changes with a request of a person, so the log of the changes costs little.
alter table operator_sessions set logged;
