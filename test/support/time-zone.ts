// The time zones of accounts as if they had been set long ago, for tests of days that are over.

interface Change {
  readonly at: string;
  readonly zone: string;
}

/** Statements that give every account the zone from the beginning, and others from later moments on. */
export function inZones(first: string, changes: readonly Change[] = []): string {
  const zones = [{ at: '-infinity', zone: first }, ...changes];
  const former = zones.slice(0, -1).map(
    ({ at, zone }, index) =>
      `insert into custody.former_time_zones (account_id, valid_from, valid_to, time_zone)
       select account_id, '${at}', '${zones[index + 1]?.at}', '${zone}' from custody.accounts;`,
  );
  return `update custody.accounts set time_zone = '${zones.at(-1)?.zone}';
    delete from custody.former_time_zones; ${former.join('\n')}`;
}
