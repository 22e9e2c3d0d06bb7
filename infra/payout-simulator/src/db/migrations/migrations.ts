import * as simulator from './0001-simulator.ts';

export const migrations = { '0001-simulator': simulator };
