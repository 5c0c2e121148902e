import { runKills } from './src/soak/kill/run-kills.ts';
const t = Date.now();
try {
  console.log(
    await runKills({ times: Number(process.argv[2]), seed: Number(process.argv[3] ?? 1) }, (r) =>
      console.log(JSON.stringify(r), Date.now() - t),
    ),
    Date.now() - t,
  );
} catch (e) {
  console.log(e.message, e.cause?.stack?.slice(0, 1600));
}
