// What docker-compose.yml reads beside the variables of the program, with the lines of .env.example.

export interface ComposeVariable {
  readonly name: string;
  readonly meaning: string;
  /** Null where Compose itself has one. */
  readonly fallback: string | null;
  /**
   * What .env.example sets, so that a real mirror is kept apart from the demo, which runs without that file.
   */
  readonly set?: string;
}

export const composeVariables: readonly ComposeVariable[] = [
  {
    name: 'COMPOSE_PROJECT_NAME',
    meaning: 'Keeps containers, networks and volumes apart from those of the demo.',
    fallback: null,
    set: 'custody',
  },
  {
    name: 'SECRETS_DIRECTORY',
    meaning: 'The directory that holds the files `database_url`, `custody_api_key` and `http_token`.',
    fallback: './deploy/compose/demo',
    set: './secrets',
  },
  { name: 'POSTGRES_PORT', meaning: 'The port of PostgreSQL on 127.0.0.1.', fallback: '5432' },
  { name: 'MIRROR_PORT', meaning: 'The port of the pages on 127.0.0.1.', fallback: '8787' },
  { name: 'SANDBOX_PORT', meaning: 'The port of the sandbox on 127.0.0.1.', fallback: '8788' },
  { name: 'GRAFANA_PORT', meaning: 'The port of Grafana on 127.0.0.1.', fallback: '3000' },
];
