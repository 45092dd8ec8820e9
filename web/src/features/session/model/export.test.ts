import { expect, test } from "vitest";
import { entry } from "../../../model/breakdown/session_fake";
import { historyCsv } from "./export";

test("history is exported with its exact numbers, those of sessions before included", () => {
  const text = historyCsv([
    entry(7, 1234.56, { is_earlier: true, time_ms: 1_700_000_000_000, changed: ["a.py", "=b.py"] }),
    entry(1, 0, { trouble: "It raised, at once." }),
  ]);
  const [header, first, second] = text.split("\r\n");
  expect(header).toBe(
    "time,session,profile,changed,batch_size,samples_per_second,uncertainty,peak_memory_bytes,trouble",
  );
  expect(first).toBe("2023-11-14T22:13:20.000Z,earlier,7,a.py =b.py,32,1234.56,0.01,1000,");
  expect(second).toBe('1970-01-01T00:00:00.000Z,this,1,,,,,,"It raised, at once."');
});
