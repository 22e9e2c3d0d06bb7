import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  observeRequest(method: string, route: string, status: number, elapsedMs: number): void;
  counter(name: string, help: string, labels?: string[]): Counter;
  /** A gauge that is read when it is asked for. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
}

/** A Prometheus registry with the process's own figures and a histogram of requests. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'vuka_http_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observeRequest: (method, route, status, elapsedMs) => requests.observe({ method, route, status }, elapsedMs / 1000),
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers: [registry] }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
  };
}
