import { speedTrick } from './speed-trick.js';

/**
 * Replaces: Express changes the prototype of every request and response when it arrives
 * (`Object.setPrototypeOf` in `app.handle`). V8 then makes separate hidden classes for each of
 * them, kilobytes in its old generation, and does not optimise the code that uses them. Here they
 * are created with the prototypes that Express is about to set.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=express-prototypes.
 */
export const expressPrototypes = speedTrick('express-prototypes', 'express', '5.3.0');

/**
 * Prototypes that an Express application sets on its requests and responses. The types of Express
 * do not declare them.
 */
export interface Prototypes {
  request: object;
  response: object;
}

/**
 * Makes the Express application use these prototypes for its requests and responses. If the speed
 * trick is off, the methods of `request` are copied to the application's own prototype instead.
 *
 * @param request prototype of a class that extends IncomingMessage only by methods
 * @param response prototype of a class that extends ServerResponse and adds nothing
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
