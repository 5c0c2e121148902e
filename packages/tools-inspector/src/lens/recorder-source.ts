import { STACK_FRAMES } from './scope-view.js';

/** Of all sessions; an older one needs a pause again. */
const PLANS = 200;
/** Characters of a function's name and of a script's, which may be any text. */
export const FUNCTION_NAME = 200;
export const SCRIPT_NAME = 2000;

/**
 * The source of a function `(lens, evaluate, tell, post) => ({ arm, record, forget })`, for a realm that no application has.
 * `record` is what a breakpoint's condition calls: it reads the variables through a function of the condition's own, hands one
 * text over, and the code runs on. It says whether V8 is to pause all the same, which is how whatever cannot be done here is done.
 * `post` leaves a text where it is found some time later; `tell` wakes whoever waits, for what is urgent: the last hit, the
 * end, and what `post` has no room for.
 *
 * An application may find it, and call it: it takes nothing on trust, and tells no more than the hits that were asked for.
 */
export const RECORDER_SOURCE = `(({ look, unavailable, describePath, isGlobal }, evaluate, tell, post) => {
  const { stringify } = JSON;
  const { captureStackTrace } = Error;
  const { now } = Date;
  const plans = new Map();

  const clipped = (text, most) => (typeof text === 'string' ? text.slice(0, most) : null);
  const place = (site) => [
    clipped(site.getFunctionName(), ${FUNCTION_NAME}),
    clipped(site.getScriptNameOrSourceURL(), ${SCRIPT_NAME}),
    site.getLineNumber(),
    site.getColumnNumber(),
  ];
  // Of this realm alone.
  Error.stackTraceLimit = ${2 * STACK_FRAMES};
  Error.prepareStackTrace = (error, sites) => {
    // The first are what is called by the condition, and the condition. What V8 counts as no part of a stack: functions of
    // its own, and who awaits.
    const seen = sites.slice(2).filter((site) => site.getLineNumber() !== null && !site.isAsync());
    return { hash: seen[0]?.getScriptHash(), stack: seen.slice(0, ${STACK_FRAMES}).map(place) };
  };
  const stackAbove = (callee) => {
    const holder = {};
    captureStackTrace(holder, callee);
    return holder.stack;
  };

  const spend = (plan, why) => {
    plan.spent = why;
    tell(stringify({ id: plan.id, spent: why }));
    return false;
  };

  // What is told comes in one order with pauses, what waits to be read in none.
  const pause = (plan) => {
    plan.shares = false;
    return true;
  };

  const record = (id, read) => {
    const plan = plans.get(id);
    if (plan === undefined) return true;
    // Until it is told to forget the breakpoint. A pause would be noticed sooner by a thread that is at work, and by one that is
    // blocked not before it goes on.
    if (plan.spent !== undefined) return false;
    if (plan.pauses) return true;
    // It is read by code of the application, which called this.
    if (plan.busy) return false;
    const began = now();
    if (Math.abs(began - plan.windowStart) >= 1000) {
      plan.windowStart = began;
      plan.inWindow = 0;
    }
    if (plan.inWindow >= plan.perSecond) return spend(plan, 'rate');
    plan.busy = true;
    try {
      const { hash, stack } = stackAbove(record);
      // The names are those of one script, and the breakpoint may be in another one of that URL as well.
      if (!plan.rehearsal && plan.hash !== hash) return pause(plan);
      const variables = Object.create(null);
      const others = Object.create(null);
      const { names, own, certain, globals, expressions } = plan;
      const ends = names.length - globals;
      for (let at = ends; at < names.length; at += 1) if (!isGlobal(names[at], () => read(at))) return (plan.pauses = pause(plan));
      for (let at = 0; at < ends; at += 1) {
        try {
          (at < own ? variables : others)[names[at]] = read(at);
        } catch {
          // It has no value yet, or was dropped as nothing nested there uses it; a global of that name is another thing.
          (at < certain ? variables : others)[names[at]] = unavailable;
        }
      }
      const values = [];
      for (const { kind, path, tree } of expressions) {
        const seen = kind === 'path' ? describePath(path, [variables, others], others.this) : evaluate(tree, [variables, others], others.this);
        // What only V8 can evaluate is likely to be so the next time.
        if (seen === undefined) return (plan.pauses = pause(plan));
        values.push(seen);
      }
      const view = look(1, [variables, others], others.this, []);
      view.paths = values;
      view.left += plan.left;
      const text = stringify({ id, time: began, stack, view });
      // Once one was told the next ones are, so that they come in their order.
      plan.shares &&= plan.taken + 1 < plan.hits && post(text);
      if (!plan.shares) plan.tell(text);
    } catch {
      return pause(plan);
    } finally {
      plan.busy = false;
    }
    plan.taken += 1;
    plan.inWindow += 1;
    plan.ms += Math.max(0, now() - began);
    if (plan.taken >= plan.hits) plan.spent = 'hits';
    else if (plan.ms >= plan.pauseMs) spend(plan, 'pause');
    return false;
  };

  const arm = (plan, shares) => {
    plans.set(plan.id, { ...plan, shares, tell: plan.rehearsal ? () => {} : tell, busy: false, pauses: false, windowStart: now(), inWindow: 0, taken: 0, ms: 0 });
    if (plans.size > ${PLANS}) plans.delete(plans.keys().next().value);
  };
  return { arm, record, forget: (id) => plans.delete(id) };
})`;
