package org.saevhadoop.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonTest {
  @ParameterizedTest
  @ValueSource(strings = {"[", "9"})
  void anExceededLimitIsReportedWithoutTheSettingThatHoldsIt(String token) {
    JsonProcessingException error =
        catchThrowableOfType(
            JsonProcessingException.class,
            () -> new ObjectMapper().readTree(token.repeat(100_000)));
    assertThat(Jackson.problem(error)).contains("maximum").doesNotContain("Constraints");
  }
}
