package org.saevhadoop.jobs.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.TensorValues;
import org.saevhadoop.jobs.verify.ColumnFindings.FoundVector;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class BlockScanTest {
  private static final List<DType> TYPES =
      Arrays.stream(DType.values()).filter(type -> type.bits() % Byte.SIZE == 0).toList();

  /** Returns values of which many are zero, equal, NaN or infinite in some type. */
  private static byte[] values(RandomValues random, int count, int bytes) {
    byte[] values = new byte[count * bytes];
    for (int i = 0; i < count; i++) {
      byte[] value = random.bytes(bytes, bytes);
      switch (random.intBetween(0, 5)) {
        case 0 -> Arrays.fill(value, (byte) 0);
        case 1 -> Arrays.fill(value, (byte) 0xff);
        case 2 -> {
          Arrays.fill(value, (byte) 0);
          value[bytes - 1] = (byte) (int) random.of(0x7f, 0x80, 0x7c, 0xfc, 0x7b);
          value[Math.max(0, bytes - 2)] |= (byte) (int) random.of(0xf0, 0x80, 0x7f, 0x00);
        }
        default -> {
          // any bits
        }
      }
      System.arraycopy(value, 0, values, i * bytes, bytes);
    }
    return values;
  }

  /** Returns a block of vectors, of which some are zero, constant or copies. */
  private static byte[] block(RandomValues random, int tokens, int dim, int bytes) {
    byte[] block = values(random, tokens * dim, bytes);
    int size = dim * bytes;
    for (int token = 0; token < tokens; token++) {
      int start = token * size;
      switch (random.intBetween(0, 6)) {
        case 0 -> Arrays.fill(block, start, start + size, (byte) 0);
        case 1 -> {
          for (int i = 1; i < dim; i++) {
            System.arraycopy(block, start, block, start + i * bytes, bytes);
          }
        }
        case 2 -> System.arraycopy(block, 0, block, start, size);
        default -> {
          // any values
        }
      }
    }
    return block;
  }

  /** Finds the same, value by value. */
  private static Map<ContentError, List<FoundVector>> naive(byte[] block, DType dtype, int dim) {
    Map<ContentError, List<FoundVector>> found = new TreeMap<>();
    DType parts = dtype == DType.C64 ? DType.F32 : dtype;
    int each = dtype == DType.C64 ? 2 : 1;
    TensorValues values = TensorValues.of(parts, ByteBuffer.wrap(block));
    int size = dim * each;
    List<Boolean> zeros = new ArrayList<>();
    for (int token = 0; token < values.count() / size; token++) {
      int nan = -1;
      int infinite = -1;
      boolean zero = true;
      for (int i = 0; i < size; i++) {
        double value = values.doubleAt(token * size + i);
        nan = nan < 0 && Double.isNaN(value) ? i / each : nan;
        infinite = infinite < 0 && Double.isInfinite(value) ? i / each : infinite;
        zero &= value == 0;
      }
      byte[] vector =
          Arrays.copyOfRange(block, token * bytes(dtype, dim), (token + 1) * bytes(dtype, dim));
      boolean constant = dim > 1;
      int bytes = dtype.bits() / Byte.SIZE;
      for (int i = 0; i < vector.length; i++) {
        constant &= vector[i] == vector[i % bytes];
      }
      add(found, ContentError.NAN, token, nan);
      add(found, ContentError.INFINITE, token, infinite);
      add(
          found,
          ContentError.CONSTANT_VECTOR,
          token,
          constant && !zero && nan < 0 && infinite < 0 ? 0 : -1);
      zeros.add(zero);
    }
    int first = zeros.indexOf(false);
    for (int token = first; first >= 0 && token < zeros.lastIndexOf(false); token++) {
      add(found, ContentError.ZERO_VECTOR, token, zeros.get(token) ? 0 : -1);
    }
    add(found, ContentError.ZERO_EXAMPLE, 0, first < 0 ? 0 : -1);
    return found;
  }

  private static void add(
      Map<ContentError, List<FoundVector>> found, ContentError kind, int token, int detail) {
    if (detail >= 0) {
      found.computeIfAbsent(kind, key -> new ArrayList<>()).add(new FoundVector(token, detail));
    }
  }

  private static int bytes(DType dtype, int dim) {
    return dim * dtype.bits() / Byte.SIZE;
  }

  @Property(sample = 200)
  void bitsAreJudgedAsValuesAre(RandomValues random) throws Exception {
    DType dtype = random.of(TYPES);
    int dim = random.intBetween(1, 20);
    int tokens = random.intBetween(1, ColumnFindings.LISTED);
    byte[] block = block(random, tokens, dim, dtype.bits() / Byte.SIZE);
    ColumnFindings found = new ColumnFindings();
    new BlockScan(dtype, dim, true).scan(ByteBuffer.wrap(block), 0, found, null);
    Map<ContentError, List<FoundVector>> listed = new TreeMap<>();
    for (ContentError kind : ContentError.values()) {
      assertThat(found.count(kind)).isEqualTo(found.listed(kind).size());
      if (found.count(kind) > 0) {
        listed.put(kind, found.listed(kind));
      }
    }
    assertThat(listed).as(dtype + " " + dim).isEqualTo(naive(block, dtype, dim));
    assertThat(found.vectors).isEqualTo(tokens);
  }

  @Property(sample = 200)
  void vectorsHaveTheSameHashIfAndOnlyIfTheyHaveTheSameBits(RandomValues random) throws Exception {
    DType dtype = random.of(DType.F32, DType.BF16, DType.U8, DType.F64, DType.I16);
    int dim = random.intBetween(1, 20);
    byte[] block = block(random, 30, dim, dtype.bits() / Byte.SIZE);
    Map<String, Set<String>> hashes = new HashMap<>();
    new BlockScan(dtype, dim, true)
        .scan(
            ByteBuffer.wrap(block),
            0,
            new ColumnFindings(),
            (hash1, hash2, vector) -> {
              int size = bytes(dtype, dim);
              String bits =
                  Arrays.toString(
                      Arrays.copyOfRange(block, (int) vector * size, (int) (vector + 1) * size));
              hashes.computeIfAbsent(bits, key -> new HashSet<>()).add(hash1 + " " + hash2);
            });
    assertThat(hashes.values()).allSatisfy(same -> assertThat(same).hasSize(1));
    assertThat(hashes.values()).doesNotHaveDuplicates();
  }

  @Property(tries = 300, sample = 60)
  void duplicatesAreAllVectorsButTheFirstInAnyOrder(RandomValues random) throws Exception {
    int count = random.intBetween(0, 3000);
    long kinds = random.longBetween(1, 4000);
    List<long[]> entries = new ArrayList<>();
    Map<Long, Long> firsts = new HashMap<>();
    ColumnFindings expected = new ColumnFindings();
    for (int i = 0; i < count; i++) {
      long kind = random.longBetween(1, kinds);
      Long first = firsts.putIfAbsent(kind, (long) i);
      if (first != null) {
        expected.add(ContentError.DUPLICATE_VECTOR, i, first);
      }
      entries.add(new long[] {kind % 7, kind << 20, i});
    }
    Collections.shuffle(entries, random.random());
    ByteBuffer record = ByteBuffer.allocate(count * VectorHashes.ENTRY_BYTES);
    entries.forEach(entry -> record.putLong(entry[0]).putLong(entry[1]).putLong(entry[2]));
    HashTable table = new HashTable();
    table.add(record.flip());
    assertThat(bytes(table.duplicates())).isEqualTo(bytes(expected));
  }

  @Property(tries = 300, sample = 60)
  void theSumOfFindingsDoesNotDependOnTheirOrder(RandomValues random) throws Exception {
    ColumnFindings all = new ColumnFindings();
    List<ColumnFindings> parts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      parts.add(new ColumnFindings());
    }
    for (int i = 0; i < random.intBetween(0, 200); i++) {
      ContentError kind = random.of(ContentError.class);
      all.add(kind, i, 7);
      random.of(parts).add(kind, i, 7);
    }
    Collections.shuffle(parts, random.random());
    ColumnFindings sum = new ColumnFindings();
    for (ColumnFindings part : parts) {
      ColumnFindings read = new ColumnFindings();
      read.readFields(new DataInputStream(new ByteArrayInputStream(bytes(part))));
      sum.add(read);
    }
    assertThat(bytes(sum)).isEqualTo(bytes(all));
  }

  private static byte[] bytes(ColumnFindings findings) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    findings.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void columnsThatAreNoActivationsAreSearchedForValuesThatAreNotFiniteOnly() throws Exception {
    ColumnFindings found = new ColumnFindings();
    ByteBuffer block = ByteBuffer.allocate(6 * Float.BYTES);
    block.put(3 * Float.BYTES + 2, (byte) 0x80).put(3 * Float.BYTES + 3, (byte) 0x7f);
    new BlockScan(DType.F32, 2, false).scan(block, 4, found, null);
    assertThat(found.listed(ContentError.INFINITE)).containsExactly(new FoundVector(13, 1));
    assertThat(found.count(ContentError.ZERO_VECTOR)).isZero();
    assertThat(found.count(ContentError.ZERO_EXAMPLE)).isZero();
  }
}
