-- The version before 0070 claimed first attempts by them. No release did.
drop function if exists claim_first_attempts(uuid, integer, integer, double precision);
drop function if exists adopt_messages(integer);
