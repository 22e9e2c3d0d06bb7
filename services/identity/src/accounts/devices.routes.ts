import { DeviceCheckBatch, DeviceCheckResults } from '@vuka/contracts/internal/identity';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { knowsDevices } from './device.store.ts';

export function deviceRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.post(
    '/internal/devices/check-batch',
    { schema: { body: DeviceCheckBatch, response: { 200: DeviceCheckResults } } },
    async (request) => ({ results: await knowsDevices(db, request.body.items) }),
  );
}
