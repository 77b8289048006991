import { MirrorError } from '../../src/domain/errors.ts';

export const never = () => new Promise<never>(() => undefined);

export const unreachable = async () => {
  throw new MirrorError('DATABASE-UNREACHABLE', 'db.example:5432 cannot be reached; start it');
};
