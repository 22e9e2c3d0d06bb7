import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  observeRequest(method: string, route: string, status: number, elapsedMs: number): void;
  /** Begins the count of an answer at 0: Prometheus sees no increase in a series that has just appeared. */
  expectAnswer(method: string, route: string, status: number): void;
  counter(name: string, help: string, labels?: string[]): Counter;
  /** Buckets are upper bounds in the unit that the name ends with. */
  histogram(name: string, help: string, options: { labels?: string[]; buckets: number[] }): Histogram;
  /** A gauge that is read when it is scraped. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Like `gauge`, with one series for each set of labels that is read. */
  gauges(name: string, help: string, labels: string[], read: () => Promise<readonly Labelled[]>): void;
}

/** One series of a metric: its labels and its value. */
export interface Labelled {
  labels: Record<string, string>;
  value: number;
}

/**
 * By default a timer samples the event loop's delay every 10 ms, which was half of what a service used at rest. The
 * library cannot disable it; its figures include the pause between samples and are dropped. The loop's utilisation
 * comes from Node's own counters.
 */
const LAG_SAMPLED_EVERY_MS = 60_000;
const SAMPLED_LAG = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/** A Prometheus registry with the process's own figures and a histogram of requests. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLED_EVERY_MS });
  for (const figure of SAMPLED_LAG) registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
  const histogram: Metrics['histogram'] = (name, help, { labels = [], buckets }) =>
    new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] });
  const counter: Metrics['counter'] = (name, help, labels = []) =>
    new Counter({ name, help, labelNames: labels, registers: [registry] });
  // A separate counter, since the request histogram has no series for a route and a status before the first such
  // request.
  const internalErrors = counter('vuka_internal_errors_total', 'Requests that were answered with 500');
  const requests = histogram('vuka_http_request_seconds', 'Time from request to answer', {
    labels: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const gauges: Metrics['gauges'] = (name, help, labelNames, read) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const series = await read();
        this.reset();
        for (const { labels, value } of series) this.set(labels, value);
      },
    });
  };
  const gauge: Metrics['gauge'] = (name, help, read) =>
    gauges(name, help, [], async () => [{ labels: {}, value: await read() }]);
  let before = performance.eventLoopUtilization();
  gauge('vuka_event_loop_utilization', 'Share of the time since the last scrape in which the loop was busy', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest(method, route, status, elapsedMs) {
      requests.observe({ method, route, status }, elapsedMs / 1000);
      if (status === 500) internalErrors.inc();
    },
    expectAnswer: (method, route, status) => requests.zero({ method, route, status }),
    counter,
    histogram,
    gauge,
    gauges,
  };
}
