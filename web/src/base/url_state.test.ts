import { beforeEach, describe, expect, test } from "vitest";
import { formatHash, go, hrefOf, numberParam, parseHash, paramOf, route, setParams } from "./url_state";

beforeEach(() => {
  history.replaceState(undefined, "", "#/");
  dispatchEvent(new Event("popstate"));
});

describe("addresses", () => {
  test.each([
    ["", { view: "", params: {} }],
    ["#/kernels", { view: "kernels", params: {} }],
    ["#/ops?filter=a%26b&sort=%2Bcalls", { view: "ops", params: { filter: "a&b", sort: "+calls" } }],
    ["#/%E0%A4%A", { view: "%E0%A4%A", params: {} }],
  ])("%s is read", (hash, expected) => expect(parseHash(hash)).toEqual(expected));

  test("what is written is read again", () => {
    const there = { view: "ops", params: { filter: "aten::mm & +x=1", sort: "+calls" } };
    expect(parseHash(formatHash(there))).toEqual(there);
  });
});

describe("going", () => {
  test("another view keeps trace and step, and forgets the rest", () => {
    go("ops", { trace: "b", step: "3", filter: "mm" });
    go("kernels");
    expect(route.value).toEqual({ view: "kernels", params: { trace: "b", step: "3" } });
    expect(location.hash).toBe("#/kernels?step=3&trace=b");
    expect(hrefOf("ops", { sort: "calls" })).toBe("#/ops?sort=calls&step=3&trace=b");
  });

  test("a param is set, read and taken away", () => {
    go("ops");
    setParams({ step: "3", filter: "mm" });
    expect(numberParam("step")).toBe(3);
    setParams({ filter: "" });
    expect(paramOf("filter")).toBe("");
    expect(location.hash).toBe("#/ops?step=3");
  });

  test("the same again is no step to go back from", () => {
    go("ops", { filter: "mm" });
    const before = history.length;
    go("ops", { filter: "mm" });
    setParams({ sort: "calls" }, "replace");
    expect(history.length).toBe(before);
  });

  test("the address is followed when it changes by itself", () => {
    history.replaceState(undefined, "", "#/flame?by=module");
    dispatchEvent(new Event("popstate"));
    expect(route.value.view).toBe("flame");
    expect(paramOf("by")).toBe("module");
  });
});
