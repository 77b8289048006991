-- Runs once, when the database is made, before anybody can connect over the network: the role of the daemon, which owns the
-- database custody_mirror and has no other privilege, with the password that the secret database_url holds. The superuser
-- loses its password and with it every way in but the socket inside the container.
do $$
declare
  address constant text := btrim(pg_read_file('/run/secrets/database_url'), E' \t\r\n');
  password constant text := (regexp_match(
    address,
    '^postgres(?:ql)?://custody_mirror:([A-Za-z0-9._~-]+)@postgres(?::5432)?/custody_mirror$'
  ))[1];
begin
  if password is null then
    raise exception 'the secret database_url must be postgres://custody_mirror:<password>@postgres:5432/custody_mirror'
      using hint = 'The password consists of letters, digits and . _ ~ -';
  end if;
  execute format('create role custody_mirror login password %L', password);
  alter database custody_mirror owner to custody_mirror;
  execute format('alter role %I password null', current_user);
end
$$;
