import { history } from './billing/history.js';
import { ledger } from './billing/ledger.js';
import { paidCall } from './billing/paid-call.js';
import { paymentWebhook } from './billing/payment-webhook.js';
import { measured } from './comparing/comparison.js';
import { call } from './extensions/call.js';
import { code } from './extensions/code.js';
import { deployedApps } from './extensions/deployed-apps.js';
import { largeBodies } from './extensions/large-bodies.js';
import { neighbours } from './extensions/neighbours.js';
import { webhook } from './extensions/webhook.js';
import { apiKey } from './identity/api-key.js';
import { devicePoll, devicePollAgainstUpdate } from './identity/device-poll.js';
import { isolation } from './identity/isolation.js';
import { login } from './identity/login.js';
import { me } from './identity/me.js';
import { refresh, refreshWithSignature } from './identity/refresh.js';
import { revocation } from './identity/revocation.js';
import { growth } from './lists/growth.js';
import { ownLists, ownSums } from './lists/own-reads.js';
import { marketplace } from './lists/marketplace.js';
import type { Measurement } from './measurement.js';
import type { Part } from './options.js';
import { catalog } from './registry/catalog.js';
import { deploys } from './registry/deploy.js';
import { services } from './services/services.js';
import { stall } from './stall/stall.js';
import { deliveries } from './stream/deliveries.js';
import { storedEvents } from './stream/stored-events.js';
import { tricks } from './tricks/tricks.js';

/** Measurements by the names that `--only` accepts. */
export const MEASUREMENTS: Readonly<Record<Part, readonly Measurement[]>> = {
  me: [measured(me)],
  'api-key': [measured(apiKey)],
  'device-poll': [measured(devicePoll), measured(devicePollAgainstUpdate)],
  refresh: [measured(refresh), measured(refreshWithSignature)],
  login: [measured(login)],
  catalog: [measured(catalog)],
  call: [measured(call)],
  ledger: ledger.map(measured),
  'paid-call': [measured(paidCall)],
  'payment-webhook': paymentWebhook,
  webhook: [measured(webhook)],
  code,
  isolation: isolation.map(measured),
  'large-bodies': [largeBodies],
  stall: [stall],
  neighbours: [neighbours],
  'deployed-apps': [deployedApps],
  deploy: [deploys],
  revocation: [revocation],
  growth: [growth, ownSums, ownLists, measured(history)],
  marketplace: [marketplace],
  stream: [deliveries, storedEvents],
  services,
  tricks: tricks.map(measured),
};
