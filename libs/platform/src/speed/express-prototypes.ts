import { speedTrick } from './speed-trick.js';

/**
 * Replaces: Express gives every request and response another prototype when it comes (`Object.setPrototypeOf` in `app.handle`). V8 then makes
 * hidden classes for each of them alone, kilobytes in its old generation, and optimises no code that works with them. Here they are made
 * with the prototypes that Express is about to give them, and stay as they are.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=express-prototypes.
 */
export const expressPrototypes = speedTrick('express-prototypes', 'express', '5.3.0');

/** Of an application: what its requests and responses get, which the types of Express do not know. */
export interface Prototypes {
  request: object;
  response: object;
}

/**
 * Has the application take the prototypes of these classes for its own. Off, its own get what the class of requests adds to Node's.
 *
 * @param request of a class that extends IncomingMessage by methods alone
 * @param response of a class that extends ServerResponse and adds nothing
 */
export function sharePrototypes(application: Prototypes, request: object, response: object): void {
  if (!expressPrototypes.isOn) {
    const added: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(request);
    Reflect.deleteProperty(added, 'constructor');
    Object.defineProperties(application.request, added);
    return;
  }
  Object.setPrototypeOf(request, application.request);
  Object.setPrototypeOf(response, application.response);
  application.request = request;
  application.response = response;
}
