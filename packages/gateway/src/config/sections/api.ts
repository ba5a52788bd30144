import { forEachPort, PORTS } from '@sallyport/protocol';
import { z } from 'zod';

const pathSchema = z.string().min(1).max(1_024);
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|[0-9A-Fa-f:.]{2,45})$/;
const HOST_AND_PORT = /^(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

function port(standard: number, what: string) {
  return z.int().min(0).max(65_535).default(standard).describe(`${what}; 0 means any free one`);
}

const PortsSchema = z
  .strictObject(forEachPort((name) => port(PORTS[name].standard, PORTS[name].about)))
  .describe('ports of the listeners');

const TlsSchema = z
  .strictObject({
    cert: pathSchema.describe('file of the certificate chain (PEM), relative to the home'),
    key: pathSchema.describe('file of its private key (PEM, mode 0600), relative to the home'),
  })
  .describe('certificate of the API and operator listeners');

export const ApiSchema = z
  .strictObject({
    host: z
      .string()
      .regex(HOST, 'expected a host name or an IP address without brackets')
      .default('127.0.0.1')
      .describe('address to listen on; anything but loopback needs `tls`, or `insecure: true`'),
    ports: PortsSchema.prefault({}),
    tls: TlsSchema.optional(),
    insecure: z
      .boolean()
      .default(false)
      .describe('listen in the clear beyond loopback; tokens can then be read on the way'),
    allowed_hosts: z
      .array(z.string().regex(HOST_AND_PORT, 'expected `name` or `name:port`'))
      .default([])
      .describe('values of the `Host` header that are accepted besides loopback and `host` (DNS rebinding)'),
  })
  .describe('the listeners');
