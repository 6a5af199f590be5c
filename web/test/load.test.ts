import { describe, expect, it } from "vitest";
import {
  GateStaleError,
  ManifestFormatError,
  ModelUnsupportedError,
  NotListedError,
  SchemaVersionError,
  TokenizerMismatchError,
} from "../src/errors";
import { listedPath, parseManifest } from "../src/index/load";
import { manifest } from "./manifest";

const requirements = { fingerprint: "f".repeat(64) };
const parse = (value: unknown) => parseManifest(JSON.stringify(value), requirements);

describe("a manifest", () => {
  it("is taken when everything fits", () => {
    expect(parse(manifest).counts.chunks).toBe(3);
  });

  it("of another schema is refused before anything else is read", () => {
    expect(() => parse({ schema: 2 })).toThrow(SchemaVersionError);
  });

  it("made with another tokenizer is refused", () => {
    expect(() => parse({ ...manifest, tokenizer: { name: "openbook-1", fingerprint: "0" } })).toThrow(
      TokenizerMismatchError,
    );
  });

  it("with an encoder that this page cannot run is refused", () => {
    expect(() => parse({ ...manifest, model: { ...manifest.model, normalize: false } })).toThrow(ModelUnsupportedError);
    expect(() => parse({ ...manifest, model: { ...manifest.model, pooling: "max" } })).toThrow(ModelUnsupportedError);
  });

  it("with a threshold that was found on something else is refused", () => {
    const gate = {
      cosine: 0.4,
      source: "calibrated",
      corpus: manifest.corpus,
      model: manifest.model.sha256,
      tokenizer: manifest.tokenizer.fingerprint,
      answerability: null,
      answerability_source: "default",
    };
    expect(parse({ ...manifest, gate }).gate?.cosine).toBe(0.4);
    expect(() => parse({ ...manifest, gate: { ...gate, corpus: "another" } })).toThrow(GateStaleError);
    expect(() => parse({ ...manifest, gate: { ...gate, model: "another" } })).toThrow(GateStaleError);

    const told: unknown[] = [];
    const retrieval = { ...manifest.retrieval, gate: { ...manifest.retrieval.gate, stale: "warn" } };
    const text = JSON.stringify({ ...manifest, retrieval, gate: { ...gate, corpus: "another" } });
    parseManifest(text, requirements, (error) => told.push(error));
    expect(told).toHaveLength(1);
    expect(told[0]).toBeInstanceOf(GateStaleError);
  });

  it("that is not JSON, or lacks a key, says which", () => {
    expect(() => parseManifest("<!doctype html>", requirements)).toThrow(ManifestFormatError);
    expect(() => parse({ ...manifest, retrieval: undefined })).toThrow(/retrieval\.keyword is undefined/);
  });

  it("that names a file it does not list is refused", () => {
    expect(() => parse({ ...manifest, vectors: "elsewhere" })).toThrow(NotListedError);
  });

  it("cannot lead outside the site", () => {
    for (const path of ["../secret", "/etc/passwd", "index//x", "./x"]) {
      const files = { ...manifest.files, vectors: { path, bytes: 1, sha256: "0".repeat(64) } };
      expect(() => parse({ ...manifest, files }), path).toThrow(/outside the site|outside/);
    }
  });

  it("finds a file by its path, and no other", () => {
    const parsed = parse(manifest);
    expect(listedPath(parsed, "index/vectors-1.bin").bytes).toBe(24);
    expect(() => listedPath(parsed, "index/vectors-2.bin")).toThrow(NotListedError);
  });
});
