package org.saevhadoop.format.parquet.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import org.saevhadoop.format.io.FormatException;

/** Reports exceptions that readers throw because of the bytes of a file as errors in that file. */
public final class GuardedRead {
  /** An operation of a reader. */
  @FunctionalInterface
  public interface Step<T> {
    T take() throws IOException;
  }

  private GuardedRead() {}

  /**
   * Runs an operation.
   *
   * @param path the path of the file
   * @throws FormatException if the file is malformed, or exceeds a limit
   */
  public static <T> T of(String path, Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (UncheckedIOException e) {
      throw e.getCause(); // from where the values go
    } catch (ParquetLimits.Exceeded e) {
      throw ParquetError.LIMIT_EXCEEDED
          .in(path, "%s (expected at most %d)", e.getMessage(), e.limit())
          .causedBy(e);
    } catch (BufferUnderflowException e) {
      throw ParquetError.BAD_PARQUET
          .in(
              path,
              "is a corrupt Parquet file: a structure ends too early (expected all of its bytes)")
          .causedBy(e);
    } catch (RuntimeException e) {
      throw ParquetError.BAD_PARQUET
          .in(
              path,
              "is a corrupt Parquet file: %s (expected structures of parquet.thrift)",
              e.getMessage())
          .causedBy(e);
    }
  }
}
