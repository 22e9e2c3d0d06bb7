import { expect, test } from 'vitest';
import { faultsFor, type Possible } from './faults.ts';
import { makePlan } from './plan.ts';
import { createRandom } from './random.ts';
import { EVERY_FAULT } from './testing/every-fault.ts';

const kindsOf = (possible: Partial<Possible>, words: string[] = []) =>
  faultsFor({ ...EVERY_FAULT, ...possible }, words).flatMap(({ kinds }) => kinds);
const outagesOf = (minutes: number) =>
  kindsOf({ lengthMs: minutes * 60_000 }, ['outage']).map((kind) => kind.replace('outage of ', ''));

test('on the embedded bus no fault needs a broker, and no other fault is missing', () => {
  const kinds = kindsOf({ hasBroker: false });
  expect(kinds.filter((kind) => /broker|messages again/.test(kind))).toEqual([]);
  expect(kinds).toEqual(kindsOf({}).filter((kind) => !/broker|messages again/.test(kind)));
});

test('a long proof has at least a hundred kinds of faults, each once', () => {
  const kinds = kindsOf({});
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds.length).toBeGreaterThanOrEqual(100);
});

test('words select the faults whose kind contains one of them', () => {
  expect(kindsOf({}, ['kill gateway', 'callback lost'])).toEqual(['kill gateway', 'provider: callback lost']);
});

test('the proof of npm test has a fault of every family but outages, which take longer', () => {
  const lengthMs = 20_000;
  const groups = faultsFor({ ...EVERY_FAULT, lengthMs }, []);
  const planned = new Set(makePlan(groups, lengthMs, createRandom(1)).map(({ lane }) => lane));
  const missing = groups.filter(({ kinds }, lane) => kinds.length === 0 || !planned.has(lane));
  expect(missing.map(({ kinds }) => kinds)).toEqual([[]]);
});

test('an outage is planned only if the proof has time for it', () => {
  expect(outagesOf(2)).toEqual([]);
  expect(outagesOf(3)).toEqual(['postgres for 1 min', 'broker for 1 min', 'the provider for 1 min']);
  expect(outagesOf(29)).not.toContain('postgres for 15 min');
  expect(outagesOf(30)).toContain('postgres for 15 min');
});

test('accepted payouts are denied only where the proof has time for it, and not in an upgrade', () => {
  const denied = (possible: Partial<Possible>) => kindsOf(possible, ['then not found']);
  expect(denied({ lengthMs: 30_000 })).toEqual(['provider: accepted and then not found']);
  expect(denied({ lengthMs: 29_999 })).toEqual([]);
  expect(denied({ isUpgrade: true })).toEqual([]);
});

test('a standby and further nodes fail only in a cluster, where the other faults stay as they are', () => {
  const ofCluster = kindsOf({}).filter((kind) => !kindsOf({ isCluster: false }).includes(kind));
  expect(ofCluster.filter((kind) => !/standby|nodes? of broker/.test(kind))).toEqual([]);
  expect(ofCluster.filter((kind) => /promote|switch over/.test(kind))).toHaveLength(3);
  expect(ofCluster.length).toBeGreaterThanOrEqual(17);
  expect(kindsOf({ hasBroker: false }).filter((kind) => kind.includes('standby')).length).toBeGreaterThan(5);
});

test('faults that this machine cannot inject are not planned', () => {
  expect(kindsOf({ hasClocks: false }, ['clock'])).toEqual([]);
  expect(kindsOf({ hasDisk: false }, ['disk'])).toEqual([]);
  expect(kindsOf({ canLimitMemory: false }, ['memory'])).toEqual([]);
});
