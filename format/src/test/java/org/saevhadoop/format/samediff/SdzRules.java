package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.RuleLevel.rule;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** The rules of SDZ files. */
final class SdzRules {
  private static final int MAX_ENTRIES = 1000;
  private static final long MAX_BYTES = 10L << 30;
  private static final int MAX_RATIO = 100;
  private static final byte[] SDNB = {'S', 'D', 'N', 'B'};
  private static final String BASE = "model";

  private SdzRules() {}

  static List<RealArray> check(Path path, RuleLevel level) throws IOException {
    Map<String, byte[]> entries;
    try (ZipInputStream zip =
        new ZipInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
      entries = entries(zip, level);
    } catch (ZipException e) {
      throw new AssertionError("rule broken: ZipInputStream reads the file: " + path, e);
    }
    try (ZipFile zip = new ZipFile(path.toFile())) {
      compare(zip, entries);
    } catch (ZipException e) {
      throw new AssertionError("rule broken: ZipFile reads the file: " + path, e);
    }
    Map<String, ByteBuffer> files = new TreeMap<>();
    entries.forEach(
        (name, bytes) -> {
          boolean isSdnb = Arrays.equals(SDNB, Arrays.copyOf(bytes, SDNB.length));
          level.ours(isSdnb, "all entries are SDNB files", name);
          if (isSdnb) {
            files.put(name, ByteBuffer.wrap(bytes));
          }
        });
    return choose(files, level);
  }

  /** Loaders extract all entries, and take the only SDNB file, or the shards of {@code model}. */
  private static List<RealArray> choose(Map<String, ByteBuffer> files, RuleLevel level) {
    rule(!files.isEmpty(), "an entry is an SDNB file", files.keySet());
    if (files.size() == 1) {
      String name = files.keySet().iterator().next();
      level.ours(
          name.equals(BASE) || name.equals(BASE + ".sdnb"),
          "the only entry is model or model.sdnb",
          name);
      return RealLoaderRules.single(files.values().iterator().next(), level);
    }
    for (String name : files.keySet()) {
      rule(
          name.startsWith(BASE + ".shard"),
          "there is one SDNB file, or all are shards of model",
          files.keySet());
    }
    return RealLoaderRules.shards(BASE, files, level);
  }

  /** Reads the entries as the loaders of 2025 do, which see only the local headers. */
  private static Map<String, byte[]> entries(ZipInputStream zip, RuleLevel level)
      throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    long total = 0;
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      String name = entry.getName();
      rule(entries.size() < MAX_ENTRIES, "there are at most 1000 entries", name);
      rule(
          !entry.isDirectory() && !name.contains("/") && !name.contains("\\"),
          "entries are in no directory",
          name);
      boolean isStored = entry.getMethod() == ZipEntry.STORED;
      rule(
          isStored || entry.getMethod() == ZipEntry.DEFLATED,
          "entries are stored or deflated",
          name);
      boolean hasSizes = entry.getSize() >= 0 && entry.getCompressedSize() >= 0;
      rule(!isStored || hasSizes && entry.getCrc() >= 0, "stored entries have sizes", name);
      level.ours(
          isStored || !hasSizes, "deflated entries have their sizes behind their data", name);
      rule(
          isStored || !hasSizes || entry.getSize() / MAX_RATIO <= entry.getCompressedSize(),
          "no entry is deflated to a hundredth, if its sizes are known before",
          name);
      byte[] bytes = read(zip, name);
      total += bytes.length;
      rule(total <= MAX_BYTES, "entries have at most 10 GiB", name);
      rule(entries.put(name, bytes) == null, "names of entries are unique", name);
    }
    return entries;
  }

  private static byte[] read(InputStream entry, String name) throws IOException {
    byte[] bytes = entry.readNBytes(Integer.MAX_VALUE - 8);
    rule(entry.read() < 0, "an entry is smaller than 2 GiB", name);
    return bytes;
  }

  /** Asserts that the central directory, which the newest loader reads, has the same entries. */
  private static void compare(ZipFile zip, Map<String, byte[]> entries) throws IOException {
    rule(
        zip.size() == entries.size(),
        "local headers and central directory have the same entries",
        zip.size() + " and " + entries.size());
    for (Map.Entry<String, byte[]> local : entries.entrySet()) {
      ZipEntry entry = zip.getEntry(local.getKey());
      rule(
          entry != null && entry.getSize() == local.getValue().length,
          "local headers and central directory have the same entries",
          local.getKey());
      try (InputStream in = zip.getInputStream(entry)) {
        rule(
            Arrays.equals(read(in, local.getKey()), local.getValue()),
            "both directories lead to the same bytes",
            local.getKey());
      }
    }
  }
}
