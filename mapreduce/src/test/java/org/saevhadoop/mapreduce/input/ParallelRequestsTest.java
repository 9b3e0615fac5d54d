package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelRequestsTest {
  @Test
  void sixteenRequestsRunAtOnceAndNoMore() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch sixteen = new CountDownLatch(16);
    CountDownLatch more = new CountDownLatch(17);
    List<Callable<Void>> requests = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      requests.add(
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            sixteen.countDown();
            more.countDown();
            assertThat(sixteen.await(1, TimeUnit.MINUTES)).isTrue();
            more.await(200, TimeUnit.MILLISECONDS); // the time in which another one could begin
            running.decrementAndGet();
            return null;
          });
    }
    try (ParallelRequests parallel = new ParallelRequests()) {
      parallel.run(requests);
    }
    assertThat(most).hasValue(16);
  }

  @Test
  void theErrorOfARequestIsThrownAsItIs() {
    IOException error = new IOException("no such block");
    try (ParallelRequests parallel = new ParallelRequests()) {
      List<Callable<Void>> requests =
          List.of(
              () -> null,
              () -> {
                throw error;
              });
      assertThatThrownBy(() -> parallel.run(requests)).isSameAs(error);
    }
  }

  @Test
  void anotherErrorIsTheCauseOfAnIoException() {
    IllegalStateException error = new IllegalStateException("closed");
    try (ParallelRequests parallel = new ParallelRequests()) {
      List<Callable<Void>> requests =
          List.of(
              () -> {
                throw error;
              });
      assertThatThrownBy(() -> parallel.run(requests))
          .isInstanceOf(IOException.class)
          .hasCause(error);
    }
  }

  @Test
  void anInterruptionEndsTheWaitAndIsKept() {
    CountDownLatch never = new CountDownLatch(1);
    try (ParallelRequests parallel = new ParallelRequests()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () ->
                  parallel.run(
                      List.of(
                          () -> {
                            never.await();
                            return null;
                          })))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
