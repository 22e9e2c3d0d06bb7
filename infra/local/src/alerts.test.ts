import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { ROOT } from '#start-settings.ts';

const RULES = join(ROOT, 'infra/observability/alerts.yml');

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
interface Case {
  /** One value a minute, in promtool's notation: `0+1x20` is 0, 1, 2 ... */
  series: Record<string, string>;
  /** Minutes after the start. */
  at: number;
  /** The labels that the alert's expression keeps. */
  labels?: Record<string, string>;
  /** The alert must not fire. */
  isQuiet?: boolean;
}

const STEADY = (value: number) => `${value}x400`;
const GROWS = '0+60x400';
const ONCE_MORE = '0x5 1x400';
const action = (name: string): Case => ({
  series: { [`vuka_admin_actions_total{action="${name}"}`]: ONCE_MORE },
  at: 10,
  labels: { action: name },
});

const QUEUE = 'transfers.execution';

interface QueueCase extends Pick<Case, 'at'> {
  rabbitmq: { figure: 'ready' | 'unacked'; queue: string };
  /** The state of the messages on the embedded bus. */
  state: 'ready' | 'unacked' | 'dead';
  value: number;
}

/** The same case on both buses. RabbitMQ exports its own metrics; admin exports those of the embedded bus. */
const onBothBuses = ({ rabbitmq: { figure, queue }, state, value, at }: QueueCase): Case[] => [
  {
    series: { [`rabbitmq_detailed_queue_messages_${figure}{queue="${queue}"}`]: STEADY(value) },
    at,
    labels: { queue },
  },
  {
    series: { [`vuka_queue_messages{queue="${QUEUE}",state="${state}"}`]: STEADY(value) },
    at,
    labels: { queue: QUEUE },
  },
];

/** For each alert a case in which it must fire, and more cases where it has several causes or a close limit. */
const CASES: Record<string, Case | Case[]> = {
  LedgerViolation: { series: { vuka_wallet_audit_violations: STEADY(1) }, at: 1 },
  LedgerNotAudited: { series: { vuka_wallet_audited_at_seconds: STEADY(0) }, at: 40 },
  TransfersStuck: { series: { vuka_transfers_stuck: STEADY(2) }, at: 10 },
  BooksNotReconciled: { series: { vuka_days_unreconciled: STEADY(1) }, at: 380 },
  FloatDiffers: { series: { vuka_payout_float_differs_seconds: STEADY(1900) }, at: 1 },
  WithdrawalNotDecided: [24, 25].map((hours) => ({
    series: { 'vuka_withdrawal_waits_seconds{step="awaiting_approval"}': STEADY(hours * 3_600) },
    at: 1,
    isQuiet: hours === 24,
  })),
  WithdrawalNotPaid: [108, 109].map((hours) => ({
    series: {
      'vuka_withdrawal_waits_seconds{step="paying_by_hand"}': STEADY(hours * 3_600),
      'vuka_withdrawal_waits_seconds{step="awaiting_approval"}': STEADY(0),
    },
    at: 1,
    isQuiet: hours === 108,
  })),
  ProviderUnclear: {
    series: {
      'vuka_provider_answers_total{provider="pawapay",call="submit",answer="ambiguous"}': GROWS,
      'vuka_provider_answers_total{provider="pawapay",call="submit",answer="accepted"}': GROWS,
    },
    at: 20,
    labels: { provider: 'pawapay' },
  },
  CallbacksRefused: {
    series: { 'vuka_provider_answers_total{provider="pawapay",call="callback",answer="refused"}': ONCE_MORE },
    at: 8,
    labels: { provider: 'pawapay', call: 'callback', answer: 'refused' },
  },
  LedgerQueueLong: { series: { vuka_wallet_queue_depth: STEADY(1500) }, at: 5 },
  MessagesNotPublished: {
    series: { 'vuka_outbox_oldest_seconds{service="transfers"}': STEADY(90) },
    at: 5,
    labels: { service: 'transfers' },
  },
  MessagesDead: onBothBuses({ rabbitmq: { figure: 'ready', queue: `${QUEUE}.dlq` }, state: 'dead', value: 1, at: 1 }),
  QueueLong: onBothBuses({ rabbitmq: { figure: 'ready', queue: QUEUE }, state: 'ready', value: 20_000, at: 10 }),
  MessagesUnacknowledged: onBothBuses({
    rabbitmq: { figure: 'unacked', queue: QUEUE },
    state: 'unacked',
    value: 500,
    at: 5,
  }),
  MessagesUnrouted: { series: { 'rabbitmq_detailed_queue_messages_ready{queue="vuka.unrouted"}': STEADY(1) }, at: 1 },
  QueuesNotMeasured: [
    { series: {}, at: 15 },
    { series: { [`rabbitmq_detailed_queue_messages_ready{queue="${QUEUE}"}`]: STEADY(0) }, at: 15, isQuiet: true },
    { series: { [`vuka_queue_messages{queue="${QUEUE}",state="ready"}`]: STEADY(0) }, at: 15, isQuiet: true },
  ],
  OrdersRefused: {
    series: {
      'vuka_http_request_seconds_count{service="gateway",route="/api/transactions/create",status="503"}': GROWS,
    },
    at: 10,
  },
  PostgresDown: { series: { pg_up: STEADY(0) }, at: 5 },
  PostgresConnections: {
    series: {
      'pg_stat_activity_count{datname="vuka_wallet",state="idle"}': STEADY(90),
      pg_settings_max_connections: STEADY(100),
    },
    at: 10,
  },
  DiskFilling: {
    series: {
      'node_filesystem_avail_bytes{mountpoint="/",fstype="ext4"}': STEADY(10),
      'node_filesystem_size_bytes{mountpoint="/",fstype="ext4"}': STEADY(100),
    },
    at: 15,
    labels: { mountpoint: '/', fstype: 'ext4' },
  },
  BackupOld: [
    { series: {}, at: 70 },
    // Seconds before the start of the case.
    { series: { vuka_backup_finished_seconds: STEADY(-26 * 3_600) }, at: 70 },
    { series: { vuka_backup_finished_seconds: STEADY(-24 * 3_600) }, at: 70, isQuiet: true },
  ],
  ArchiveLate: { series: { pg_stat_archiver_last_archive_age: GROWS }, at: 25 },
  ServiceDown: { series: { 'up{instance="wallet:3000"}': STEADY(0) }, at: 5, labels: { instance: 'wallet:3000' } },
  ServerErrors: {
    // Only the first error after a start.
    series: { 'vuka_internal_errors_total{service="rates"}': ONCE_MORE },
    at: 8,
    labels: { service: 'rates' },
  },
  PinSpraying: { series: { vuka_identity_pin_spraying_total: ONCE_MORE }, at: 8 },
  WrongPins: { series: { vuka_identity_wrong_pins_total: GROWS }, at: 20 },
  PinLocks: {
    series: { 'vuka_identity_pin_locks_total{door="session"}': GROWS },
    at: 20,
    labels: { door: 'session' },
  },
  NotificationsNotSent: [true, false].map((isQuiet) => ({
    series: {
      'vuka_admin_notification_attempts_total{channel="sms",result="failed"}': GROWS,
      'vuka_admin_notification_attempts_total{channel="sms",result="sent"}': isQuiet ? GROWS : STEADY(0),
    },
    at: 20,
    labels: { channel: 'sms' },
    isQuiet,
  })),
  AccountUnlocked: action('user.unlocked'),
  AdministratorBlocked: action('administrator.blocked'),
  AdministratorCreated: action('administrator.created'),
  AdministratorRoleChanged: action('administrator.role-changed'),
  SecondFactorRemoved: action('administrator.factor-removed'),
  RatesChanged: action('rates.updated'),
  WithoutSecondAdministrator: action('adjustment.made-alone'),
};

const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

test('Alertmanager has a way for every severity, and pages at once what is to wake a person', () => {
  const { route, receivers } = parse(readFileSync(join(ROOT, 'infra/observability/alertmanager.yml'), 'utf8'));
  const ways = new Map<string, string>(
    route.routes.map(({ matchers, receiver }: { matchers: string[]; receiver: string }) => [matchers[0], receiver]),
  );
  const wayOf = (severity = '') => ways.get(`severity="${severity}"`) ?? route.receiver;
  expect(new Set(rules.map(({ labels }) => `${labels.severity} ${wayOf(labels.severity)}`))).toEqual(
    new Set(['page pager', 'ticket tickets']),
  );
  const named = receivers.map(({ name }: { name: string }) => name);
  expect(named).toEqual(expect.arrayContaining([...ways.values(), route.receiver]));
  const { alerting } = parse(readFileSync(join(ROOT, 'infra/observability/prometheus.yml'), 'utf8'));
  expect(alerting.alertmanagers[0].static_configs[0].targets).toEqual(['alertmanager:9093']);
});

test('every alert has a case in which it must fire', () => {
  expect(Object.keys(CASES).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('every alert fires in its case, with its severity and its text', { timeout: 60_000 }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'vuka-alerts-'));
  try {
    const file = join(dir, 'test.yml');
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: rules.flatMap(toTests) }));
    const said = execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    expect(said).toContain('SUCCESS');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

function toTests(rule: Rule) {
  return [CASES[rule.alert] ?? []].flat().map((each) => toTest(rule, each));
}

function toTest({ alert, labels, annotations }: Rule, { series, at, labels: own = {}, isQuiet = false }: Case) {
  const rendered = Object.entries(annotations).map(([name, text]) => [
    name,
    text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => own[label] ?? ''),
  ]);
  const firing = { exp_labels: { ...own, ...labels }, exp_annotations: Object.fromEntries(rendered) };
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: `${at}m`, alertname: alert, exp_alerts: isQuiet ? [] : [firing] }],
  };
}
